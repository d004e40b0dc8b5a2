import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { isGone } from '../api/errors.ts'
import type { Segment } from '../api/segments.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { Button, LinkButton } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy } from '../kit/follow.ts'
import { DeleteSegment } from './delete-segment.tsx'
import styles from './people.module.css'
import { filterIn } from './people-query.ts'
import { type SegmentDraft, SegmentEditor } from './segment-editor.tsx'
import { useSegment } from './use-segments.ts'
import { words } from './words.ts'

export default function SegmentPage({ params }: { params: Readonly<Record<string, string>> }) {
  const id = params['segment'] ?? ''
  return id === 'new' ? <NewSegment /> : <ExistingSegment key={id} id={id} />
}

/** Conditions in the address become those of the new segment. */
function NewSegment() {
  const [search] = useSearchParams()
  const draft: SegmentDraft = { name: '', description: '', filter: filterIn(search) }
  return (
    <Page title={words.newSegment} actions={<BackLink />}>
      <SegmentEditor segment={null} former={draft} />
    </Page>
  )
}

function BackLink() {
  const [, navigate] = useLocation()
  return (
    <LinkButton href="/segments" onClick={followBy(navigate)}>
      {words.toSegments}
    </LinkButton>
  )
}

function ExistingSegment({ id }: { id: string }) {
  const segment = useSegment(id)
  if (segment.data !== undefined) return <LoadedSegment segment={segment.data} />
  if (isGone(segment.error))
    return (
      <Page title={words.segments}>
        <Empty title={words.missingSegment} action={<BackLink />}>
          {words.missingSegmentHint}
        </Empty>
      </Page>
    )
  return (
    <Page title={words.segments}>
      <QueryPanel query={segment} lines={8} height={48}>
        {() => null}
      </QueryPanel>
    </Page>
  )
}

function LoadedSegment({ segment }: { segment: Segment }) {
  const [, navigate] = useLocation()
  const [isDeleting, setDeleting] = useState(false)
  const { name, description, filter, count, version } = segment
  return (
    <Page
      title={name}
      beside={<span className={styles.small}>{words.total(count)}</span>}
      actions={
        <>
          <BackLink />
          <Button onClick={() => setDeleting(true)}>{words.removeSegment}</Button>
        </>
      }
    >
      {/* An undo or a colleague changes the segment under the editor, which then begins anew. */}
      <SegmentEditor key={version} segment={segment} former={{ name, description, filter }} />
      <DeleteSegment
        segment={segment}
        open={isDeleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate('/segments')}
      />
    </Page>
  )
}
