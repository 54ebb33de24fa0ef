#!/bin/sh
# Makes the two logins of Armada's database, once, when the server is initialised. On a server of your own run it with
# PGHOST, PGUSER and the like set: POSTGRES_USER is an administrator, POSTGRES_DB the database.
#   armada_owner   owns schemas and tables; `armada migrate` alone signs in as it
#   armada_app     what services sign in as: reads and writes rows, under row-level security
set -eu

: "${ARMADA_OWNER_PASSWORD:?}" "${ARMADA_APP_PASSWORD:?}"

# psql substitutes its variables in its input alone, not in --command. \getenv keeps the passwords off command lines.
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set database="$POSTGRES_DB" <<'SQL'
\getenv owner_password ARMADA_OWNER_PASSWORD
\getenv app_password ARMADA_APP_PASSWORD
CREATE ROLE armada_owner LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOBYPASSRLS PASSWORD :'owner_password';
CREATE ROLE armada_app LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOBYPASSRLS NOINHERIT PASSWORD :'app_password';
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
ALTER DATABASE :"database" OWNER TO armada_owner;
GRANT CONNECT ON DATABASE :"database" TO armada_app;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SQL
