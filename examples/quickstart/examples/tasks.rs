//! The task list of the guide's tutorial, with all that its steps add. It takes its address from `LISTEN`, and
//! its token from `TASKS_TOKEN`.
#![expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "handlers have one signature"
)]

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use docent::{BearerToken, Cx, Fault, Procedure, RpcError, Server, Service};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A task on the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Task {
    /// The number of the task.
    id: u32,
    /// The task.
    title: String,
    /// True if the task is done.
    done: bool,
}

/// The state of the service.
#[derive(Default)]
struct Tasks(Mutex<Vec<Task>>);

impl Tasks {
    fn lock(&self) -> MutexGuard<'_, Vec<Task>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds a task to the list.
///
/// Returns the new task with its number.
#[derive(Deserialize, JsonSchema)]
struct Add {
    /// The task.
    #[schemars(length(min = 1, max = 200))]
    title: String,
}

fn add(cx: Cx<Tasks>, p: Add) -> Result<Task, Fault> {
    let mut tasks = cx.state().lock();
    let id = u32::try_from(tasks.len()).map_err(Fault::internal)? + 1;
    let task = Task {
        id,
        title: p.title,
        done: false,
    };
    tasks.push(task.clone());
    Ok(task)
}

/// Lists tasks, oldest first.
#[derive(Deserialize, JsonSchema)]
struct List {
    /// Only tasks that are done, or only tasks that are not.
    done: Option<bool>,
}

fn list(cx: Cx<Tasks>, p: List) -> Result<Vec<Task>, Fault> {
    let tasks = cx.state().lock();
    let wanted = tasks
        .iter()
        .filter(|task| p.done.is_none_or(|done| task.done == done));
    Ok(wanted.cloned().collect())
}

/// A task that does not exist.
#[derive(Debug, Serialize, JsonSchema)]
struct Unknown {
    /// The number in the call.
    id: u32,
}

/// The errors of changing a task.
#[derive(Debug, RpcError)]
enum TaskError {
    /// The list has no task with this number.
    #[rpc(code = 1404, message = "No such task", status = 404, retry = false)]
    NoSuchTask(Unknown),
}

/// Marks a task as done.
#[derive(Deserialize, JsonSchema)]
struct Complete {
    /// The number of the task.
    id: u32,
}

fn complete(cx: Cx<Tasks>, p: Complete) -> Result<(), TaskError> {
    let mut tasks = cx.state().lock();
    let found = tasks.iter_mut().find(|task| task.id == p.id);
    let task = found.ok_or(TaskError::NoSuchTask(Unknown { id: p.id }))?;
    task.done = true;
    Ok(())
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let token = std::env::var("TASKS_TOKEN")?;
    let service = Service::builder("tasks", "urn:uuid:0d6b0a3e-6a55-4d6b-9d5f-2f1c7c1e7a01")
        .version("1.0")
        .documentation("Keeps a task list.\n\nAnyone can read it. Write calls require a token.")
        .state(Tasks::default())
        .procedure(Procedure::sync("task.add", add))
        .procedure(Procedure::sync("task.complete", complete))
        .procedure(
            Procedure::sync("task.list", list)
                .idempotent()
                .returns("The tasks, oldest first.")
                .cache_for(Duration::from_secs(5)),
        )
        .guard(
            BearerToken::new("tasks", token, |procedure| !procedure.idempotent)
                .description("Ask the team for it."),
        )
        .build()?;
    for warning in service.warnings() {
        eprintln!("{warning}");
    }
    Ok(Server::new(service)
        .bind(std::env::var("LISTEN")?)?
        .run()
        .await?)
}
