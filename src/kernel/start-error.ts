/**
 * An outside cause keeps the service from running, such as a port in use. The message says what is wrong and what to
 * do; it is printed without a stack, and the exit code is 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
