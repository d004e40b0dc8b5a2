/** A promise that is resolved or rejected from outside. */
export class Deferred<Result = void> {
  readonly promise: Promise<Result>
  resolve: (result: Result) => void = () => undefined
  reject: (reason: Error) => void = () => undefined

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}
