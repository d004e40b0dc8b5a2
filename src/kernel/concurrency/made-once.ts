/**
 * Makes the value when somebody first asks for it. Who asks meanwhile waits for the same one; after a failure the next
 * who asks has it made again.
 */
export function madeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
