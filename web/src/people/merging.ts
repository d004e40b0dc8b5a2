import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { mergePerson, type Person, splitPerson, updatePerson } from '../api/people.ts'
import { authorName } from '../app/post/author-name.ts'
import { offerUndo } from '../app/undo.ts'
import { showToast } from '../kit/toast.tsx'
import { keepPerson } from './use-people.ts'
import { words } from './words.ts'

/** Merges another person into this one. The undo separates the accounts again and restores what was noted of both. */
export function useMerge(person: Person) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (other: Person) => mergePerson(other.id, person.id),
    onSuccess: (merged, other) => {
      keepPerson(client, merged)
      offerUndo({
        text: words.didMerge(authorName(other), authorName(person)),
        revert: () => unmerge(client, person, other),
      })
    },
  })
}

async function unmerge(client: QueryClient, kept: Person, gone: Person): Promise<void> {
  const [first, ...more] = gone.accounts.map(({ id }) => id)
  await splitPerson(kept.id, [first!, ...more])
  for (const account of more) await mergePerson(account, first!)
  keepPerson(client, await updatePerson(gone.id, gone.annotations))
  keepPerson(client, await updatePerson(kept.id, kept.annotations))
}

type Account = Person['accounts'][number]

/** Makes a person of its own of an account. The undo merges it again. */
export function useSeparation(person: Person) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (account: Account) => splitPerson(person.id, [account.id]),
    onSuccess: ({ data }, account) => {
      for (const changed of data) keepPerson(client, changed)
      const revert = async () => {
        await mergePerson(account.id, person.id)
        keepPerson(client, await updatePerson(person.id, person.annotations))
      }
      offerUndo({ text: words.didSeparate(authorName(account)), revert })
    },
    onError: (error) => showToast({ text: error.message, tone: 'negative' }),
  })
}
