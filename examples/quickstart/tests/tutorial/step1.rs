use std::sync::Mutex;

use docent::{BuildError, Fault, Server, Service, procedures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A task on the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Task {
    /// The number of the task.
    id: usize,
    /// The task.
    title: String,
    /// True if it is done.
    done: bool,
}

#[derive(Default)]
struct Tasks(Mutex<Vec<Task>>);

#[procedures(prefix = "task")]
impl Tasks {
    /// Adds a task, and returns it with its number.
    #[procedure]
    fn add(
        &self,
        /// The task.
        #[schemars(length(min = 1, max = 200))]
        title: String,
    ) -> Result<Task, Fault> {
        let mut tasks = self.0.lock().unwrap();
        let id = tasks.len() + 1;
        let done = false;
        tasks.push(Task { id, title, done });
        Ok(tasks[id - 1].clone())
    }

    /// Lists tasks, oldest first.
    #[procedure(idempotent, returns = "The tasks.")]
    fn list(
        &self,
        /// Only tasks that are done, or only tasks that are not.
        done: Option<bool>,
    ) -> Result<Vec<Task>, Fault> {
        let tasks = self.0.lock().unwrap();
        let wanted = tasks
            .iter()
            .filter(|task| done.is_none_or(|done| task.done == done));
        Ok(wanted.cloned().collect())
    }
}

fn service() -> Result<Service, BuildError> {
    Service::builder("tasks", "https://example.com/tasks")
        .procedures(Tasks::default().procedures())
        .build()
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(Server::new(service()?)
        .bind("127.0.0.1:8080")?
        .run()
        .await?)
}
