import { Notice } from '../../kit/notice.tsx'
import { RequestFailure } from '../request-failure.tsx'
import { missingSettings } from './set-up.ts'
import { words } from './words.ts'

/** Why a request did not succeed, and which settings the installation lacks for it. */
export function SetUpFailure({ error, onRetry }: { error: Error | null; onRetry?: () => void }) {
  if (error === null) return null
  const settings = missingSettings(error)
  if (settings.length === 0) return <RequestFailure error={error} onRetry={onRetry} />
  return (
    <div role="alert">
      <Notice tone="warning">
        <p>{error.message}</p>
        <p>{words.missing(settings)}</p>
      </Notice>
    </div>
  )
}
