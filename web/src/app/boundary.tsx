import { Component, type ReactNode } from 'react'
import { Button } from '../kit/button.tsx'
import { Failure } from '../kit/failure.tsx'
import { words } from './words.ts'

interface State {
  error: Error | null
}

/** Set while a page reloads for a chunk that a newer version replaced, so that the tab reloads once. */
const RELOADED = 'earshot-reloaded'

/** Shows a page that failed instead of nothing. A missing chunk after an upgrade reloads the tab. */
export class Boundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override componentDidCatch(error: Error): void {
    if (!isMissingChunk(error) || sessionStorage.getItem(RELOADED) !== null) return
    sessionStorage.setItem(RELOADED, 'yes')
    location.reload()
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Failure message={`${words.brokenPage}: ${error.message}`}>
        <Button onClick={() => location.reload()}>{words.reload}</Button>
      </Failure>
    )
  }
}

function isMissingChunk({ message }: Error): boolean {
  return /dynamically imported module|module script failed/i.test(message)
}
