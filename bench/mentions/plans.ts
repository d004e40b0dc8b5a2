import { type Database, type Statement, sql } from '../../src/store/database.ts'

/** A database that remembers what was asked of it while `record` runs. */
export interface RecordingDatabase extends Database {
  record(work: () => Promise<unknown>): Promise<Statement<unknown>[]>
}

export function recording(db: Database): RecordingDatabase {
  let asked: Statement<unknown>[] | null = null
  return {
    ...db,
    query(statement, how) {
      asked?.push(statement)
      return db.query(statement, how)
    },
    readerFor(whom, signal) {
      const reader = db.readerFor(whom, signal)
      return {
        ...reader,
        query(statement, how) {
          asked?.push(statement)
          return reader.query(statement, how)
        },
      }
    },
    async record(work) {
      const statements: Statement<unknown>[] = []
      asked = statements
      await work()
      asked = null
      return statements
    },
  }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: PlanNode[]
}

export interface Plan {
  /** The indexes and tables of mentions that the plan goes through, in words. */
  through: string[]
  /** Whether a partition of the mentions, or all of a workspace's, is read from end to end without an index. */
  scans: boolean
}

/** How the server means to answer a statement that touches mentions; null for other statements. */
export async function planOf(db: Database, statement: Statement<unknown>): Promise<Plan | null> {
  const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`explain (format json) ${statement}`)
  const nodes = nodesOf(row!['QUERY PLAN'][0].Plan)
  const onMentions = nodes.filter((node) => /^mention(_|$)/.test(node['Relation Name'] ?? node['Index Name'] ?? ''))
  if (onMentions.length === 0) return null
  return {
    through: [
      ...new Set(onMentions.map((node) => node['Index Name']?.replace(/^mention_\d+_/, '') ?? node['Node Type'])),
    ],
    scans: nodes.some((node) => node['Node Type'] === 'Seq Scan' && /^mention_\d+$/.test(node['Relation Name'] ?? '')),
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
