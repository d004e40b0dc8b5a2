import type { Subject } from '../contract.ts'

type Circumstances = Omit<Subject, 'post'>

/** Subjects as a message to a thread. What several subjects share is sent once. */
export interface PackedBatch {
  posts: Subject['post'][]
  of: number[]
  circumstances: Circumstances[]
}

export function pack(subjects: readonly Subject[]): PackedBatch {
  const parcel: PackedBatch = { posts: [], of: [], circumstances: [] }
  const known = new Map<string, number[]>()
  for (const { post, ...rest } of subjects) {
    parcel.posts.push(post)
    const key = JSON.stringify([
      rest.workspaceId,
      rest.keyword.kind,
      rest.keyword.term,
      rest.keywordContext,
      rest.companyContext,
    ])
    const alike = known.get(key) ?? []
    known.set(key, alike)
    // Feedback is compared by identity: mentions of one keyword share the array.
    let number = alike.find((value) => parcel.circumstances[value]!.marks === rest.marks)
    if (number === undefined) {
      number = parcel.circumstances.push(rest) - 1
      alike.push(number)
    }
    parcel.of.push(number)
  }
  return parcel
}

export function unpack({ posts, of, circumstances }: PackedBatch): Subject[] {
  return posts.map((post, at) => ({ post, ...circumstances[of[at]!]! }))
}
