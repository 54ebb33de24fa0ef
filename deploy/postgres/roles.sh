#!/bin/sh
# Makes the logins of Armada's database when the server is initialised. It may run again: roles that are there get the
# passwords of now. On a server of your own run it with PGHOST, PGUSER and the like set: POSTGRES_USER is an
# administrator, POSTGRES_DB the database.
#   armada_owner             owns schemas and tables; `armada migrate` alone signs in as it
#   armada_identity, armada_fleet, armada_notification, armada_position_ingest
#                            what each service signs in as: works with the rows of its own schema, under row-level security
#   armada_app               what tools beside `migrate`, and a process that runs all services, sign in as: has no right
#                            but to take those four roles
set -eu

: "${ARMADA_OWNER_PASSWORD:?}" "${ARMADA_APP_PASSWORD:?}"
: "${ARMADA_IDENTITY_PASSWORD:?}" "${ARMADA_FLEET_PASSWORD:?}" "${ARMADA_NOTIFICATION_PASSWORD:?}" \
  "${ARMADA_POSITION_INGEST_PASSWORD:?}"

# psql substitutes its variables in its input alone, not in --command. \getenv keeps the passwords off command lines.
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --single-transaction --file=- \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set database="$POSTGRES_DB" <<'SQL'
\getenv owner_password ARMADA_OWNER_PASSWORD
\getenv app_password ARMADA_APP_PASSWORD
\getenv identity_password ARMADA_IDENTITY_PASSWORD
\getenv fleet_password ARMADA_FLEET_PASSWORD
\getenv notification_password ARMADA_NOTIFICATION_PASSWORD
\getenv position_ingest_password ARMADA_POSITION_INGEST_PASSWORD
SELECT format('CREATE ROLE %I', name)
  FROM unnest(ARRAY['armada_owner', 'armada_app', 'armada_identity', 'armada_fleet', 'armada_notification',
    'armada_position_ingest']) AS name
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE armada_owner LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS
  PASSWORD :'owner_password';
ALTER ROLE armada_app LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS NOINHERIT
  PASSWORD :'app_password';
ALTER ROLE armada_identity LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS NOINHERIT
  PASSWORD :'identity_password';
ALTER ROLE armada_fleet LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS NOINHERIT
  PASSWORD :'fleet_password';
ALTER ROLE armada_notification LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS NOINHERIT
  PASSWORD :'notification_password';
ALTER ROLE armada_position_ingest LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS NOINHERIT
  PASSWORD :'position_ingest_password';
GRANT armada_identity, armada_fleet, armada_notification, armada_position_ingest TO armada_app;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
ALTER DATABASE :"database" OWNER TO armada_owner;
-- Everybody may connect to a database that nobody has closed; two come with every server.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname)
  FROM pg_database WHERE datname IN ('postgres', 'template1') \gexec
GRANT CONNECT ON DATABASE :"database" TO armada_app, armada_identity, armada_fleet, armada_notification,
  armada_position_ingest;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SQL
