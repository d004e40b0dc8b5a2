import { useLocation } from 'wouter'
import type { Person } from '../api/people.ts'
import { authorName } from '../app/post/author-name.ts'
import { IconButton } from '../kit/button.tsx'
import { Count } from '../kit/count.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { More } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { Time } from '../kit/time.tsx'
import { type ListQuery, listHref, type Sort } from './people-query.ts'
import { Moods, PersonName } from './person-cells.tsx'
import { useMute } from './use-people.ts'
import { words } from './words.ts'

interface PeopleTableProps {
  people: readonly Person[]
  /** Null where the order cannot be chosen. */
  query: ListQuery | null
}

export function PeopleTable({ people, query }: PeopleTableProps) {
  const [, navigate] = useLocation()
  return (
    <DataTable
      caption={words.caption}
      columns={query === null ? columnsOf(() => ({})).slice(0, SHORT_COLUMNS) : columnsOf(sorting(query))}
      rows={people}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/people/${id}`}
      onNavigate={navigate}
    />
  )
}

/** Columns of a table beside a form. */
const SHORT_COLUMNS = 3

type Sorting = (sort: Sort) => Pick<Column<Person>, 'sortHref' | 'sorted'>

function sorting(query: ListQuery): Sorting {
  return (sort) => ({
    sortHref: listHref({ ...query, sort, offset: 0 }),
    ...(query.sort === sort ? { sorted: sort === 'name' ? 'ascending' : 'descending' } : {}),
  })
}

function columnsOf(sortedBy: Sorting): Column<Person>[] {
  const { columns } = words
  return [
    { id: 'person', label: columns.person, ...sortedBy('name'), render: (person) => <PersonName person={person} /> },
    {
      ...{ id: 'mentions', label: columns.mentions, align: 'end', ...sortedBy('mentions') },
      render: ({ stats }) => <Count value={stats.mentions} />,
    },
    {
      ...{ id: 'followers', label: columns.followers, align: 'end', ...sortedBy('reach') },
      render: ({ reach }) => (reach.followers === null ? words.unknown : <Count value={reach.followers} short />),
    },
    {
      ...{ id: 'relevant', label: columns.relevant, align: 'end' },
      render: ({ stats }) => <Count value={stats.relevant} />,
    },
    { id: 'moods', label: columns.moods, render: ({ stats }) => <Moods sentiment={stats.sentiment} /> },
    {
      ...{ id: 'seen', label: columns.seen, align: 'end', ...sortedBy('recent') },
      render: ({ stats }) => (stats.lastSeenAt === null ? words.never : <Time at={stats.lastSeenAt} />),
    },
    { id: 'actions', label: columns.actions, align: 'end', render: (person) => <RowActions person={person} /> },
  ]
}

function RowActions({ person }: { person: Person }) {
  const [, navigate] = useLocation()
  const { toggle, label } = useMute(person)
  const name = words.actionsOf(authorName(person))
  return (
    <Menu
      label={name}
      trigger={<IconButton size="small" label={name} icon={<More />} />}
      items={[
        { label: words.openMentions, onSelect: () => navigate(`/inbox?personId=${person.id}`) },
        { label, onSelect: toggle },
      ]}
    />
  )
}
