//! The tables of services as they are, so that a test knows of each one that is added: which of their columns hold an id, for
//! what names a tenant, a device or a user has to go with it, and what is unique in them.
//!
//! On SQLite alone: the migrations are the same on both databases.

use std::fmt;

use anyhow::Context as _;
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, DbErr, QueryResult, Statement};
use uuid::Uuid;

use crate::world::World;

/// A column of a table that holds an id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IdColumn {
    /// Whose table it is.
    pub service: String,
    /// The table.
    pub table: String,
    /// The column.
    pub name: String,
}

/// Columns of which no two rows have the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueIndex {
    /// Whose table it is.
    pub service: String,
    /// How PostgreSQL names it in an error.
    pub postgres: String,
    /// How SQLite names it there: by its columns, or by its name when one of them is an expression.
    pub sqlite: String,
}

/// `fleet.driver.tenant_id`.
impl fmt::Display for IdColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.service, self.table, self.name)
    }
}

/// The tables of services, seen past them.
pub struct Schema {
    databases: Vec<(String, DatabaseConnection)>,
    tables: Vec<Table>,
}

struct Table {
    service: String,
    name: String,
    columns: Vec<Column>,
}

/// A column of any kind.
struct Column {
    name: String,
    kind: String,
    must_be_given: bool,
    /// The table and the column whose value it has.
    of: Option<(String, String)>,
}

impl Schema {
    /// Looks into the tables of these services.
    ///
    /// # Errors
    /// The World is on another database than SQLite.
    pub async fn of(world: &World, services: &[&str]) -> anyhow::Result<Self> {
        let (mut databases, mut all) = (Vec::new(), Vec::new());
        for &service in services {
            let connection = world.past_service(service).await?;
            for name in tables(&connection).await? {
                let columns = columns_of(&connection, &name).await?;
                all.push(Table { service: service.to_owned(), name, columns });
            }
            databases.push((service.to_owned(), connection));
        }
        Ok(Self { databases, tables: all })
    }

    /// All columns that hold an id.
    pub fn columns(&self) -> impl Iterator<Item = IdColumn> {
        self.tables.iter().flat_map(Table::id_columns)
    }

    /// Puts a row into each of these tables: with the ids that `id_of` names, with what is there where it must be of another
    /// table, and empty otherwise.
    ///
    /// # Errors
    /// A table refuses such a row.
    pub async fn fill(
        &self,
        tables: &[(String, String)],
        id_of: impl Fn(&IdColumn) -> Option<Uuid>,
    ) -> anyhow::Result<()> {
        // What is of another table comes behind that one.
        let mut waiting: Vec<_> = self.tables.iter().filter(|table| tables.contains(&table.key())).collect();
        while !waiting.is_empty() {
            let names: Vec<_> = waiting.iter().map(|table| table.key()).collect();
            let (next, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|table| {
                let mut others = table.columns.iter().filter_map(|column| column.of.as_ref());
                !others
                    .any(|(other, _)| *other != table.name && names.contains(&(table.service.clone(), other.clone())))
            });
            anyhow::ensure!(!next.is_empty(), "these are of one another: {names:?}");
            for table in next {
                let insert = table.insert(&self.tables, &id_of);
                let inserted = self.database(&table.service).execute_unprepared(&insert).await;
                inserted.with_context(|| insert)?;
            }
            waiting = later;
        }
        Ok(())
    }

    /// Where an id stands.
    ///
    /// # Errors
    /// A table cannot be read.
    pub async fn places_of(&self, id: Uuid) -> anyhow::Result<Vec<IdColumn>> {
        let mut places = Vec::new();
        for column in self.columns() {
            let count = format!("SELECT count(*) FROM \"{}\" WHERE \"{}\" = {}", column.table, column.name, blob(id));
            let database = self.database(&column.service);
            let row = database.query_one_raw(Statement::from_string(database.get_database_backend(), count)).await?;
            let count: i64 = row.context("a count is one row")?.try_get_by_index(0)?;
            if count > 0 {
                places.push(column);
            }
        }
        places.sort();
        Ok(places)
    }

    /// What is unique besides ids.
    ///
    /// # Errors
    /// The tables cannot be read.
    pub async fn unique_indexes(&self) -> anyhow::Result<Vec<UniqueIndex>> {
        let sql = "SELECT tables.name, indexes.name, indexes.origin, \
             (SELECT group_concat(coalesce(name, '')) FROM pragma_index_info(indexes.name)) \
             FROM pragma_table_list AS tables, pragma_index_list(tables.name) AS indexes \
             WHERE tables.schema = 'main' AND tables.type = 'table' AND indexes.\"unique\" AND indexes.origin <> 'pk'";
        let mut found = Vec::new();
        for (service, database) in &self.databases {
            let rows = database.query_all_raw(Statement::from_string(database.get_database_backend(), sql)).await?;
            for row in rows {
                let (table, name): (String, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
                let (origin, columns): (String, String) = (row.try_get_by_index(2)?, row.try_get_by_index(3)?);
                let columns: Vec<_> = columns.split(',').collect();
                let postgres = if origin == "u" { format!("{table}_{}_key", columns.join("_")) } else { name.clone() };
                let sqlite = match columns.contains(&"") {
                    true => format!("index '{name}'"),
                    false => columns.iter().map(|column| format!("{table}.{column}")).collect::<Vec<_>>().join(", "),
                };
                found.push(UniqueIndex { service: service.clone(), postgres, sqlite });
            }
        }
        Ok(found)
    }

    fn database(&self, service: &str) -> &DatabaseConnection {
        let (_, database) = self.databases.iter().find(|(name, _)| name == service).expect("it was opened");
        database
    }
}

impl Table {
    fn key(&self) -> (String, String) {
        (self.service.clone(), self.name.clone())
    }

    fn id_columns(&self) -> impl Iterator<Item = IdColumn> {
        let ids = self.columns.iter().filter(|column| column.is_id());
        ids.map(|column| IdColumn {
            service: self.service.clone(),
            table: self.name.clone(),
            name: column.name.clone(),
        })
    }

    /// The statement that puts a row into it.
    fn insert(&self, all: &[Self], id_of: &impl Fn(&IdColumn) -> Option<Uuid>) -> String {
        let named = |column: &Column| self.id_columns().find(|id| id.name == column.name).and_then(|id| id_of(&id));
        let given = self.columns.iter().filter_map(|column| {
            let of = column.of.as_ref().map(|(table, key)| {
                let table = all.iter().find(|other| other.service == self.service && other.name == *table);
                table.map_or("NULL".to_owned(), |table| table.one(key, id_of))
            });
            Some((&*column.name, column.value(named(column), of)?))
        });
        let (names, values): (Vec<_>, Vec<_>) = given.unzip();
        format!("INSERT INTO \"{}\" (\"{}\") VALUES ({})", self.name, names.join("\", \""), values.join(", "))
    }

    /// As SQL: what a column has in the row that has most of the ids that are named.
    fn one(&self, column: &str, id_of: &impl Fn(&IdColumn) -> Option<Uuid>) -> String {
        let named = self.id_columns().filter_map(|id| Some(format!("(\"{}\" IS {})", id.name, blob(id_of(&id)?))));
        let named: Vec<_> = named.chain(["0".to_owned()]).collect();
        format!("(SELECT \"{column}\" FROM \"{}\" ORDER BY {} DESC LIMIT 1)", self.name, named.join(" + "))
    }
}

impl Column {
    fn is_id(&self) -> bool {
        self.kind.contains("uuid")
    }

    /// As SQL: an id that is named, or what must be there; `of` is what it has of another table.
    fn value(&self, named: Option<Uuid>, of: Option<String>) -> Option<String> {
        Some(match (named, of) {
            (Some(id), _) => blob(id),
            _ if !self.must_be_given => return None,
            (_, Some(of)) => of,
            _ if self.is_id() => blob(Uuid::now_v7()),
            _ if self.kind.contains("text") || self.kind.contains("char") => "''".to_owned(),
            _ if self.kind.contains("blob") => "x''".to_owned(),
            _ => "1".to_owned(),
        })
    }
}

fn blob(id: Uuid) -> String {
    format!("x'{}'", id.simple())
}

impl World {
    /// A connection to the tables of a service that asks for no keys of other tables.
    async fn past_service(&self, service: &str) -> anyhow::Result<DatabaseConnection> {
        let armada_runtime::db::Location::Sqlite(folder) = &self.location else {
            anyhow::bail!("its tables are not on SQLite");
        };
        let mut options = ConnectOptions::new(format!("sqlite://{}", folder.join(format!("{service}.db")).display()));
        options.max_connections(1).map_sqlx_sqlite_opts(|options| options.foreign_keys(false));
        Ok(sea_orm::Database::connect(options).await?)
    }
}

async fn tables(connection: &DatabaseConnection) -> anyhow::Result<Vec<String>> {
    // Those of a search index belong to it, and follow the table that they are of.
    let sql =
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'";
    let rows = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), sql)).await?;
    Ok(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?)
}

async fn columns_of(connection: &DatabaseConnection, table: &str) -> anyhow::Result<Vec<Column>> {
    let sql = format!(
        "SELECT name, lower(type), \"notnull\" = 1 AND dflt_value IS NULL \
         AND NOT (pk = 1 AND lower(type) = 'integer' AND max(pk) OVER () = 1), \"table\", \"to\" \
         FROM pragma_table_info('{table}') LEFT JOIN pragma_foreign_key_list('{table}') ON name = \"from\""
    );
    let rows = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), sql)).await?;
    let column = |row: &QueryResult| {
        let (table, column): (Option<String>, Option<String>) = (row.try_get_by_index(3)?, row.try_get_by_index(4)?);
        Ok::<_, DbErr>(Column {
            name: row.try_get_by_index(0)?,
            kind: row.try_get_by_index(1)?,
            must_be_given: row.try_get_by_index(2)?,
            of: table.zip(column),
        })
    };
    Ok(rows.iter().map(column).collect::<Result<_, _>>()?)
}
