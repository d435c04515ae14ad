//! The task list of the guide's tutorial, with all that its steps add.
#![expect(clippy::unwrap_used, reason = "as short as the tutorial")]

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

/// The errors of completing a task.
#[derive(docent::RpcError)]
enum TaskError {
    /// The list has no task with this number.
    #[rpc(code = 1404, status = 404, retry = false)]
    NoSuchTask { id: usize },
}

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

    /// Marks a task as done.
    #[procedure(example(params = [7], error = 1404, data = {"id": 7}))]
    fn complete(
        &self,
        /// The number of the task.
        id: usize,
    ) -> Result<(), TaskError> {
        let mut tasks = self.0.lock().unwrap();
        let found = tasks.iter_mut().find(|task| task.id == id);
        found.ok_or(TaskError::NoSuchTask { id })?.done = true;
        Ok(())
    }
}

fn service(token: &str) -> Result<Service, BuildError> {
    let writes = docent::BearerToken::new("tasks", token, |procedure| !procedure.idempotent);
    Service::builder("tasks", "https://example.com/tasks")
        .version("1.0")
        .documentation("Keeps a list of tasks. Changes require a token.")
        .procedures(Tasks::default().procedures())
        .guard(writes)
        .build()
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = service(&std::env::var("TASKS_TOKEN")?)?;
    let address = std::env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    Ok(Server::new(service).bind(address)?.run().await?)
}

#[cfg(test)]
mod tests {
    use super::{Task, service};

    #[docent::test]
    async fn an_added_task_is_on_the_list() {
        let service = service("s3cret").unwrap();
        let add = service.request("task.add", &["Water the plants"]);
        let added: Task = add
            .field("Authorization", "Bearer s3cret")
            .call()
            .await
            .unwrap();
        let tasks: Vec<Task> = service.call("task.list", &()).await.unwrap();
        assert_eq!(tasks, [added]);

        let error = service
            .call::<Task>("task.add", &["Sleep"])
            .await
            .unwrap_err();
        assert_eq!(error.code(), Some(docent::code::REFUSED));
    }

    #[test]
    fn the_description_is_the_one_in_the_file() {
        let service = service("s3cret").unwrap();
        docent::testing::assert_matches_golden(&service, "tests/golden/tasks.json");
    }
}
