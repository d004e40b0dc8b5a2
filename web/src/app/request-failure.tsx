import { ApiError } from '../api/errors.ts'
import { Failure } from '../kit/failure.tsx'

/** The failure of a request, in its panel. */
export function RequestFailure({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  const requestId = error instanceof ApiError ? error.requestId : null
  return <Failure message={error.message} requestId={requestId} onRetry={onRetry} />
}
