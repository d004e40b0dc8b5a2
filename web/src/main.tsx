import './kit/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Route, Switch } from 'wouter'
import { Boundary } from './app/boundary.tsx'
import { firstLoad } from './app/first-load.ts'
import { Frame } from './app/frame.tsx'
import { listenToKeys } from './app/keys.ts'
import { live } from './app/live.ts'
import { NotFound } from './app/not-found.tsx'
import { createQueryClient } from './app/query-client.ts'
import { RequestFailure } from './app/request-failure.tsx'
import { openSession } from './app/session.ts'
import { preferredTimes } from './app/time-preference.ts'
import { preloadFloating } from './kit/floating/load.ts'
import { Skeleton } from './kit/skeleton.tsx'
import { showTimesAs } from './kit/time-store.ts'
import { ToastRegion } from './kit/toast.tsx'
import { ROUTES } from './routes.tsx'

const root = createRoot(document.getElementById('app')!)

function Pages() {
  return (
    <Switch>
      {ROUTES.map(([pattern, Page]) => (
        <Route key={pattern} path={pattern}>
          {(params) => (
            <Boundary key={pattern}>
              <Suspense fallback={<Skeleton lines={8} />}>
                <Page params={params as Record<string, string>} />
              </Suspense>
            </Boundary>
          )}
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}

function show(): void {
  const client = createQueryClient()
  // On a slow phone the first render takes long. In a transition it pauses for input.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <Frame>
            <Pages />
          </Frame>
          <ToastRegion />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}

/** Without hovering, as on a phone, the first touch gets the floating parts: there is better to do at first. */
function prepareFloating(): void {
  const prepare = () => void preloadFloating()
  if (matchMedia('(hover: none)').matches) addEventListener('pointerdown', prepare, { once: true, passive: true })
  else whenIdle(prepare)
}

/** Safari has no idle callbacks. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else setTimeout(work, IDLE_MS)
}

const IDLE_MS = 2000

async function begin(): Promise<void> {
  const session = await openSession()
  if (session === null) return
  showTimesAs(preferredTimes())
  listenToKeys()
  live.begin(session.workspace.id)
  show()
  firstLoad.watch(prepareFloating)
}

begin().catch((error: unknown) => {
  root.render(<RequestFailure error={error as Error} onRetry={() => location.reload()} />)
})
