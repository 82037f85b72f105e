/** Whether the process is on its way out; shared by the server and the app. */
export interface Lifecycle {
  stopping: boolean;
}
