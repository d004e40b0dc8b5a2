import { inject } from 'vitest'
import { loadWebBundle, type WebBundle } from '../../src/surfaces/web/bundle.ts'
import { askForValue } from '../on-demand.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { useWorld } from '../use-world.ts'
import type { World, WorldOptions } from '../world.ts'
import { type NewWindow, useWindows } from './windows.ts'

/** The service with the built dashboard, and a browser that reaches it. */
export interface Dashboard {
  world: World
  newWindow: NewWindow
}

/** The fixture of tests of pages: a world with the dashboard, and a browser whose clock is that of the world. */
export function useDashboard(options: WorldOptions | (() => WorldOptions) = {}): Dashboard {
  const world = useWorld(async () => ({
    ...(typeof options === 'function' ? options() : options),
    port: await freePort(),
    web: await builtDashboard(),
  }))
  return { world, newWindow: useWindows(world, () => world.clock.now()) }
}

async function builtDashboard(): Promise<WebBundle> {
  const folder = await askForValue<string>(inject('webBundle'))
  const bundle = loadWebBundle(folder)
  if (bundle === null) throw new Error(`the build of the dashboard left no page in ${folder}`)
  return bundle
}
