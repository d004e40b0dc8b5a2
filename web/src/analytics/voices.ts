import type { ShareOfVoice } from '../api/analytics.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import type { ReportQuery } from './report-query.ts'
import { words } from './words.ts'

type Voice = ShareOfVoice['data'][number]

export function voiceName({ kind, keyword }: Voice): string {
  return keyword?.term ?? words.kinds[kind]
}

/** Relevant mentions count unless the filter or the choice says otherwise. */
export function countedFilter({ filter, includesAll }: Pick<ReportQuery, 'filter' | 'includesAll'>): Filter {
  return filter.relevant !== undefined || includesAll ? filter : { ...filter, relevant: true }
}

export function voiceFilter({ kind, keyword }: Voice, filter: Filter): Filter {
  return keyword === null ? { ...filter, keywordKinds: [kind] } : { ...filter, keywordIds: [keyword.id] }
}
