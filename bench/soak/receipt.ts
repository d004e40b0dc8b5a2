/** One accepted request of a receiver. */
export interface Receipt {
  hook: number
  deliveryId: string
  mentionId: string
  keywordId: string
  post: number
  atMs: number
}

/** A receipt from its line in the file of the receivers. */
export function receiptFrom(line: string): Receipt {
  const [hook, deliveryId, mentionId, keywordId, post, atMs] = line.split(' ')
  return {
    hook: Number(hook),
    deliveryId: deliveryId!,
    mentionId: mentionId!,
    keywordId: keywordId!,
    post: Number(post),
    atMs: Number(atMs),
  }
}
