import { Link } from 'wouter'
import { ApiError } from '../api/errors.ts'
import { Failure } from '../kit/failure.tsx'
import { Countdown } from './countdown.tsx'
import { useMay } from './use-may.ts'
import { words } from './words.ts'

/** The failure of a request, in its panel. */
export function RequestFailure({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <Failure message={error.message} requestId={requestId} onRetry={onRetry}>
      {error instanceof ApiError && <Help error={error} />}
    </Failure>
  )
}

/** What helps, where the code of the error says so. */
function Help({ error }: { error: ApiError }) {
  if (error.retryAfterSeconds !== null) return <Countdown key={error.requestId} seconds={error.retryAfterSeconds} />
  if (error.code === 'duplicate_keyword' && error.existingId !== null)
    return <Link href={`/keywords/${error.existingId}`}>{words.openExistingKeyword}</Link>
  if (error.code === 'insufficient_balance') return <BalanceHelp />
  if (error.code === 'keyword_limit_reached') return <Link href="/keywords">{words.toKeywords}</Link>
  return null
}

function BalanceHelp() {
  return useMay().manage ? <Link href="/billing">{words.toMoney}</Link> : <p>{words.whoTopsUp}</p>
}
