#!/bin/sh
# Makes the logins of Armada's database when the server is initialised. It may run again: roles that are there get the
# passwords of now. On a server of your own run it with PGHOST, PGUSER and the like set: POSTGRES_USER is an
# administrator, POSTGRES_DB the database.
#   armada_owner             owns schemas and tables; `armada migrate` alone signs in as it
#   armada_<service>         what each service signs in as: works with the rows of its own schema, under row-level security
#   armada_app               what tools beside `migrate`, and a process that runs all services, sign in as: has no right
#                            but to take the roles of services
set -eu

# made of the declarations: services
services="identity fleet notification position_ingest"
# end of what is made

: "${ARMADA_OWNER_PASSWORD:?}" "${ARMADA_APP_PASSWORD:?}"
# shellcheck disable=SC2086 # one word each
roles=$(printf 'armada_%s, ' $services)
roles=${roles%, }
password_of() { printf 'ARMADA_%s_PASSWORD' "$(printf %s "$1" | tr '[:lower:]' '[:upper:]')"; }
for service in $services; do
  eval ": \"\${$(password_of "$service"):?}\""
done

# psql substitutes its variables in its input alone, not in --command. \getenv keeps the passwords off command lines.
{
  cat <<'SQL'
\getenv owner_password ARMADA_OWNER_PASSWORD
\getenv app_password ARMADA_APP_PASSWORD
SELECT format('CREATE ROLE %I', name)
  FROM unnest(string_to_array(:'roles' || ', armada_owner, armada_app', ', ')) AS name
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE armada_owner LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS
  PASSWORD :'owner_password';
ALTER ROLE armada_app LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS NOINHERIT
  PASSWORD :'app_password';
SQL
  for service in $services; do
    cat <<SQL
\getenv password $(password_of "$service")
ALTER ROLE armada_$service LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS NOINHERIT
  PASSWORD :'password';
SQL
  done
  cat <<'SQL'
GRANT :roles TO armada_app;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
ALTER DATABASE :"database" OWNER TO armada_owner;
-- Everybody may connect to a database that nobody has closed; two come with every server.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname)
  FROM pg_database WHERE datname IN ('postgres', 'template1') \gexec
GRANT CONNECT ON DATABASE :"database" TO armada_app, :roles;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SQL
} | psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --single-transaction --file=- \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set database="$POSTGRES_DB" --set roles="$roles"
