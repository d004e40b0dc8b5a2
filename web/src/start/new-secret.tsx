import { NewSecretPanel } from '../app/new-channel/new-secret-panel.tsx'
import { useVisit } from './visit.ts'

/** The secret of a new webhook, until the person has stored it. */
export function NewSecret() {
  const { visit, change } = useVisit()
  return visit.secret !== null && <NewSecretPanel {...visit.secret} onStored={() => change({ secret: null })} />
}
