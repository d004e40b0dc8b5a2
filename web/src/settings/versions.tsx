import { DataTable } from '../kit/data-table.tsx'
import { type Difference, textOf } from './differences.ts'
import styles from './settings.module.css'
import { words } from './words.ts'

/** Both versions of the fields that would be replaced, side by side. */
export function Versions({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return null
  const { versionColumns: columns } = words
  return (
    <div className={styles.versions}>
      <DataTable<Difference>
        caption={words.versions}
        rows={differences}
        rowKey={({ label }) => label}
        columns={[
          { id: 'field', label: columns.field, render: ({ label }) => label },
          { id: 'mine', label: columns.mine, render: ({ mine }) => <bdi>{textOf(mine) || words.nothing}</bdi> },
          { id: 'theirs', label: columns.theirs, render: ({ theirs }) => <bdi>{textOf(theirs) || words.nothing}</bdi> },
        ]}
      />
    </div>
  )
}
