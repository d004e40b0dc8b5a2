import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Group } from '../api/groups.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { GROUPS_QUERY } from '../app/workspace-queries.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { More, Plus } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { GroupDialog } from './group-dialog.tsx'
import styles from './settings.module.css'
import { useGroupDeletion } from './use-groups.ts'
import { words } from './words.ts'

/** Groups of keywords, and what describes each of them. */
export function GroupsTab() {
  const groups = useQuery(GROUPS_QUERY)
  const [adding, setAdding] = useState(false)
  return (
    <div className={styles.stack}>
      <p className={styles.hint}>{words.groupsHint}</p>
      <Card
        aside={
          <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
            {words.addGroup}
          </Button>
        }
      >
        <QueryPanel query={groups} lines={4} height={48}>
          {({ data }) => (
            <DataTable caption={words.groupsCaption} columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
          )}
        </QueryPanel>
      </Card>
      {adding && <GroupDialog group={null} onClose={() => setAdding(false)} />}
    </div>
  )
}

const { groupColumns: columns } = words
const COLUMNS: Column<Group>[] = [
  { id: 'name', label: columns.name, render: (group) => <Name group={group} /> },
  {
    id: 'keywords',
    label: columns.keywords,
    align: 'end',
    render: ({ stats }) => words.keywordsOf(stats.active, stats.keywords),
  },
  {
    id: 'context',
    label: columns.context,
    render: ({ context }) => (context === '' ? words.companyContext : words.ownContextOf),
  },
  { id: 'externalId', label: columns.externalId, render: ({ externalId }) => <bdi>{externalId ?? '–'}</bdi> },
  { id: 'actions', label: columns.actions, align: 'end', render: (group) => <Actions group={group} /> },
]

function Name({ group: { name, isDefault } }: { group: Group }) {
  return (
    <span className={styles.name}>
      <b>
        <bdi>{name}</bdi>
      </b>
      {isDefault && <small>{words.isDefault}</small>}
    </span>
  )
}

function Actions({ group }: { group: Group }) {
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<'change' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const { name, isDefault, stats } = group
  const deletion = useGroupDeletion(group, close)
  const remove = { label: words.deleteGroup, danger: true, onSelect: () => setOpen('delete') }
  return (
    <>
      <Menu
        label={words.actionsOf(name)}
        trigger={<IconButton size="small" label={words.actionsOf(name)} icon={<More />} />}
        items={[
          { label: words.editGroup, onSelect: () => setOpen('change') },
          { label: words.openKeywords, onSelect: () => navigate(`/keywords?groupIds=${group.id}`) },
          ...(isDefault ? [] : [remove]),
        ]}
      />
      {open === 'change' && <GroupDialog group={group} onClose={close} />}
      <DeleteDialog
        open={open === 'delete'}
        onClose={close}
        title={words.deleteGroupTitle(name)}
        text={words.deleteGroupText(stats.keywords)}
        label={words.deleteGroup}
        deletion={deletion}
      />
    </>
  )
}
