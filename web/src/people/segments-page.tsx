import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Segment } from '../api/segments.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { IconButton, LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Count } from '../kit/count.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy } from '../kit/follow.ts'
import { More, Plus } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { Time } from '../kit/time.tsx'
import { conditionsInWords } from './condition-words.ts'
import { DeleteSegment } from './delete-segment.tsx'
import styles from './people.module.css'
import { PeopleTabs } from './people-tabs.tsx'
import { useSegments } from './use-people.ts'
import { words } from './words.ts'

export default function SegmentsPage() {
  const segments = useSegments()
  const [, navigate] = useLocation()
  const count = segments.data?.data.length ?? 0
  return (
    <Page
      title={words.segments}
      beside={count > 0 && <span className={styles.small}>{words.segmentTotal(count)}</span>}
      actions={count > 0 && <AddLink />}
    >
      <PeopleTabs current="segments" />
      <QueryPanel query={segments} lines={5} height={48}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={words.noSegments} action={<AddLink />}>
              {words.noSegmentsHint}
            </Empty>
          ) : (
            <Card>
              <DataTable
                caption={words.segmentsCaption}
                columns={COLUMNS}
                rows={data}
                rowKey={({ id }) => id}
                rowHref={({ id }) => `/segments/${id}`}
                onNavigate={navigate}
              />
            </Card>
          )
        }
      </QueryPanel>
    </Page>
  )
}

function AddLink() {
  const [, navigate] = useLocation()
  return (
    <LinkButton variant="primary" icon={<Plus />} href="/segments/new" onClick={followBy(navigate)}>
      {words.newSegment}
    </LinkButton>
  )
}

const { segmentColumns } = words

const COLUMNS: readonly Column<Segment>[] = [
  {
    id: 'name',
    label: segmentColumns.name,
    render: ({ name, description }) => (
      <span className={styles.name}>
        <bdi>{name}</bdi>
        {description !== '' && (
          <small>
            <bdi>{description}</bdi>
          </small>
        )}
      </span>
    ),
  },
  {
    id: 'conditions',
    label: segmentColumns.conditions,
    render: ({ filter }) => <small className={styles.conditions}>{conditionsInWords(filter)}</small>,
  },
  { id: 'count', label: segmentColumns.count, align: 'end', render: ({ count }) => <Count value={count} /> },
  { id: 'updated', label: segmentColumns.updated, align: 'end', render: ({ updatedAt }) => <Time at={updatedAt} /> },
  { id: 'actions', label: segmentColumns.actions, align: 'end', render: (segment) => <RowActions segment={segment} /> },
]

function RowActions({ segment }: { segment: Segment }) {
  const [, navigate] = useLocation()
  const [isDeleting, setDeleting] = useState(false)
  const close = () => setDeleting(false)
  const label = words.actionsOf(segment.name)
  return (
    <>
      <Menu
        label={label}
        trigger={<IconButton size="small" label={label} icon={<More />} />}
        items={[
          { label: words.openMembers, onSelect: () => navigate(`/people?segmentId=${segment.id}`) },
          { label: words.removeSegment, danger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <DeleteSegment segment={segment} open={isDeleting} onClose={close} onDeleted={close} />
    </>
  )
}
