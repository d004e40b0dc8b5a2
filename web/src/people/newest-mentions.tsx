import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { listMentions } from '../api/mentions.ts'
import type { Person } from '../api/people.ts'
import { MentionLine, MentionLines } from '../app/post/mention-lines.tsx'
import { RelevanceBar } from '../app/post/relevance-bar.tsx'
import { StrangerPicture } from '../app/post/stranger-picture.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import styles from './people.module.css'
import { words } from './words.ts'

const SHOWN = 20

/** The newest mentions of a person, also of a muted one. */
function useNewest({ id }: Person) {
  return useQuery({
    queryKey: ['mentions', 'of person', id],
    queryFn: ({ signal }) => listMentions({ personId: id, limit: SHOWN }, signal),
  })
}

/** The picture that came with the newest mention. */
export function PersonPicture({ person }: { person: Person }) {
  const { data } = useNewest(person)
  const shown = data?.data.find(({ author }) => author?.avatarUrl != null)
  if (shown === undefined) return null
  return <StrangerPicture mentionId={shown.id} kind="author" address={shown.author?.avatarUrl} />
}

export function NewestMentions({ person }: { person: Person }) {
  const { id } = person
  const mentions = useNewest(person)
  return (
    <Card title={words.newest} aside={<Link href={`/inbox?personId=${id}`}>{words.allMentions}</Link>}>
      <QueryPanel query={mentions} lines={5} height={52}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty quiet title={words.noMentions} />
          ) : (
            <MentionLines>
              {data.map((mention) => (
                <MentionLine key={mention.id} {...mention}>
                  <span className={styles.relevance}>
                    <Relevance value={mention.classification?.relevance ?? null} />
                  </span>
                </MentionLine>
              ))}
            </MentionLines>
          )
        }
      </QueryPanel>
    </Card>
  )
}

function Relevance({ value }: { value: number | null }) {
  if (value === null) return null
  return (
    <>
      {value} <RelevanceBar relevance={value} />
    </>
  )
}
