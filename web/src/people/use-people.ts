import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getPerson, listPeople, type PeopleQuery, type Person, type PersonChange, updatePerson } from '../api/people.ts'
import { authorName } from '../app/post/author-name.ts'
import { offerUndo } from '../app/undo.ts'
import { SEGMENTS_QUERY } from '../app/workspace-queries.ts'
import { showToast } from '../kit/toast.tsx'
import { useRested } from '../kit/use-rested.ts'
import { words } from './words.ts'

/** People of a request, asked for once the typing rests. */
export function usePeople(request: PeopleQuery) {
  const rested = useRested(JSON.stringify(request))
  return useQuery({
    queryKey: ['people', 'list', rested],
    queryFn: ({ signal }) => listPeople(JSON.parse(rested) as PeopleQuery, signal),
    placeholderData: keepPreviousData,
  })
}

export function usePerson(id: string) {
  return useQuery({ queryKey: ['people', id], queryFn: ({ signal }) => getPerson(id, signal) })
}

export function useSegments() {
  return useQuery(SEGMENTS_QUERY)
}

/** Keeps the person as it is now, and reads again what depends on people. */
export function keepPerson(client: QueryClient, person: Person): void {
  client.setQueryData(['people', person.id], person)
  void client.invalidateQueries({ queryKey: ['people'] })
  void client.invalidateQueries({ queryKey: ['segments'] })
  void client.invalidateQueries({ queryKey: ['mentions'] })
}

interface Change {
  change: PersonChange
  /** What was done, such as "Ada is muted". */
  text: string
}

/** Changes what the team noted of a person, and offers to bring the former values back. */
export function usePersonChange(person: Person) {
  const client = useQueryClient()
  const { id, annotations } = person
  return useMutation({
    mutationFn: ({ change }: Change) => updatePerson(id, change),
    onSuccess: (changed, { change, text }) => {
      keepPerson(client, changed)
      const names = Object.keys(change) as (keyof PersonChange)[]
      const former: PersonChange = Object.fromEntries(names.map((name) => [name, annotations[name]]))
      offerUndo({ text, revert: async () => keepPerson(client, await updatePerson(id, former)) })
    },
  })
}

export function useMute(person: Person) {
  const change = usePersonChange(person)
  const { muted } = person.annotations
  const name = authorName(person)
  const toggle = () =>
    change.mutate(
      { change: { muted: !muted }, text: muted ? words.didUnmute(name) : words.didMute(name) },
      { onError: (error) => showToast({ text: error.message, tone: 'negative' }) },
    )
  return { toggle, busy: change.isPending, label: muted ? words.unmute : words.mute }
}
