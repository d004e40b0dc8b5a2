import { useState } from 'react'
import { useLocation } from 'wouter'
import { isGone } from '../api/errors.ts'
import type { Person } from '../api/people.ts'
import { keyOf } from '../app/key-table.ts'
import { useKeys } from '../app/keys.ts'
import { Page } from '../app/page.tsx'
import { authorName } from '../app/post/author-name.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button, LinkButton } from '../kit/button.tsx'
import { Count } from '../kit/count.tsx'
import { Empty } from '../kit/empty.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import { followBy } from '../kit/follow.ts'
import { Time } from '../kit/time.tsx'
import { AccountsCard } from './accounts-card.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { NewestMentions, PersonPicture } from './newest-mentions.tsx'
import { NotesCard } from './notes-card.tsx'
import styles from './people.module.css'
import { useMute, usePerson } from './use-people.ts'
import { words } from './words.ts'

export default function PersonPage({ params }: { params: Readonly<Record<string, string>> }) {
  const person = usePerson(params['person'] ?? '')
  if (person.data !== undefined) return <LoadedPerson key={person.data.id} person={person.data} />
  if (isGone(person.error))
    return (
      <Page title={words.title}>
        <Empty title={words.missing} action={<BackLink />}>
          {words.missingHint}
        </Empty>
      </Page>
    )
  return (
    <Page title={words.title}>
      <QueryPanel query={person} lines={8} height={48}>
        {() => null}
      </QueryPanel>
    </Page>
  )
}

function BackLink() {
  const [, navigate] = useLocation()
  return (
    <LinkButton href="/people" onClick={followBy(navigate)}>
      {words.toList}
    </LinkButton>
  )
}

function LoadedPerson({ person }: { person: Person }) {
  const { handle, name, annotations } = person
  return (
    <Page
      title={authorName(person)}
      beside={
        <>
          <PersonPicture person={person} />
          {annotations.muted && <Badge tone="warning">{words.muted}</Badge>}
          {name !== null && handle !== null && <bdi className={styles.small}>{handle}</bdi>}
        </>
      }
      actions={<Actions person={person} />}
    >
      <div className={styles.stack}>
        <Figures person={person} />
        <div className={styles.columns}>
          <NewestMentions person={person} />
          <div className={styles.stack}>
            {/* An undo changes the notes under the form, which then begins anew. */}
            <NotesCard key={JSON.stringify(annotations)} person={person} />
            <AccountsCard person={person} />
          </div>
        </div>
      </div>
    </Page>
  )
}

function Actions({ person }: { person: Person }) {
  const [isMerging, setMerging] = useState(false)
  const { toggle, busy, label } = useMute(person)
  useKeys({ mute: toggle })
  return (
    <>
      <BackLink />
      <Button busy={busy} keys={keyOf('mute')} title={words.muteHint} onClick={toggle}>
        {label}
      </Button>
      <Button onClick={() => setMerging(true)}>{words.merge}</Button>
      <MergeDialog person={person} open={isMerging} onClose={() => setMerging(false)} />
    </>
  )
}

function Figures({ person: { id, stats, reach } }: { person: Person }) {
  const [, navigate] = useLocation()
  const { figures } = words
  const { mentions, relevant, sentiment, firstSeenAt, lastSeenAt } = stats
  const counted = [
    [figures.mentions, mentions, ''],
    [figures.relevant, relevant, '&relevant=true'],
    [figures.positive, sentiment.positive, '&sentiments=positive'],
    [figures.negative, sentiment.negative, '&sentiments=negative'],
  ] as const
  return (
    <div className={styles.figures}>
      {counted.map(([label, value, condition]) => (
        <FigureCard
          key={label}
          label={label}
          value={<Count value={value} short />}
          href={`/inbox?personId=${id}${condition}`}
          onNavigate={navigate}
        />
      ))}
      <FigureCard
        label={figures.followers}
        value={reach.followers === null ? '–' : <Count value={reach.followers} short />}
      />
      <FigureCard label={figures.first} value={<SeenAt at={firstSeenAt} />} />
      <FigureCard label={figures.last} value={<SeenAt at={lastSeenAt} />} />
    </div>
  )
}

function SeenAt({ at }: { at: string | null }) {
  return at === null ? words.never : <Time at={at} />
}
