/**
 * Something outside the code keeps the service from starting or running: a folder that cannot be written, a port in
 * use, a database of another version. The message is for the person at the terminal: what is wrong and what to do. It
 * is printed without a stack and the process ends with exit code 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
