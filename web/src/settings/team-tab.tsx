import { useQuery } from '@tanstack/react-query'
import { type Invitation, listInvitations, type Member } from '../api/workspace.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { useSession } from '../app/session.ts'
import { useMay } from '../app/use-may.ts'
import { MEMBERS_QUERY } from '../app/workspace-queries.ts'
import { LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { formatUtcDay, Time } from '../kit/time.tsx'
import { DeleteWorkspaceCard } from './delete-workspace-card.tsx'
import { RetentionCard } from './retention-card.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'
import { WorkspaceCard } from './workspace-card.tsx'

const ROLES = Object.keys(words.roles) as Member['role'][]

/** Who belongs to the workspace. The team page of the server, which works without scripts, changes it. */
export function TeamTab() {
  const may = useMay()
  const members = useQuery(MEMBERS_QUERY)
  return (
    <div className={styles.stack}>
      <p className={styles.hint}>{words.teamHint}</p>
      <div className={styles.columns}>
        <div className={styles.stack}>
          <Card
            aside={
              <LinkButton size="small" href="/team">
                {may.manage ? words.manageTeam : words.leaveTeam}
              </LinkButton>
            }
          >
            <QueryPanel query={members} lines={4} height={48}>
              {({ data }) => (
                <DataTable caption={words.teamCaption} columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
              )}
            </QueryPanel>
          </Card>
          {may.manage && <Invitations />}
        </div>
        <div className={styles.stack}>
          <WorkspaceCard />
          <RetentionCard />
          <Card title={words.rolesTitle}>
            <dl className={styles.meanings}>
              {ROLES.map((role) => (
                <div key={role}>
                  <dt>{words.roles[role]}</dt>
                  <dd>{words.roleMeanings[role]}</dd>
                </div>
              ))}
            </dl>
            {!may.manage && <p className={styles.small}>{words.whoManages}</p>}
          </Card>
          {may.own && <DeleteWorkspaceCard />}
        </div>
      </div>
    </div>
  )
}

function Invitations() {
  const invitations = useQuery({ queryKey: ['invitations'], queryFn: ({ signal }) => listInvitations(signal) })
  return (
    <QueryPanel query={invitations} lines={1} height={48}>
      {({ data }) =>
        data.length > 0 && (
          <Card title={words.invitations}>
            <DataTable
              caption={words.invitationsCaption}
              columns={INVITATION_COLUMNS}
              rows={data}
              rowKey={({ id }) => id}
            />
          </Card>
        )
      }
    </QueryPanel>
  )
}

const { memberColumns: columns, invitationColumns } = words
const INVITATION_COLUMNS: Column<Invitation>[] = [
  { id: 'email', label: invitationColumns.email, render: ({ email }) => email },
  { id: 'role', label: invitationColumns.role, render: ({ role }) => words.roles[role] },
  { id: 'expires', label: invitationColumns.expires, align: 'end', render: ({ expiresAt }) => <Time at={expiresAt} /> },
]
const COLUMNS: Column<Member>[] = [
  { id: 'name', label: columns.name, render: (member) => <Name member={member} /> },
  { id: 'role', label: columns.role, render: ({ role }) => words.roles[role] },
  { id: 'since', label: columns.since, align: 'end', render: ({ joinedAt }) => formatUtcDay(joinedAt) },
]

function Name({ member: { userId, name, email } }: { member: Member }) {
  const { user } = useSession()
  return (
    <span className={styles.name}>
      <span>
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        {userId === user.id && `(${words.you})`}
      </span>
      <small>{email}</small>
    </span>
  )
}
