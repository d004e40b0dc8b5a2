import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createWorld, type TestWorkspace, type World, type WorldOptions } from './world.ts'

interface Closable {
  close(): unknown
}

type Options = WorldOptions | (() => WorldOptions | Promise<WorldOptions>)

/** The worlds that are opened anew for each test. */
const fresh = new WeakSet<World>()

/**
 * The fixture of most tests: a world that is opened before the tests of its file (or `describe`) and closed after them.
 * Options in a function are read when the world is opened, after the hooks that stand before the call.
 */
export function useWorld(options: Options = {}): World {
  return useResource(async () => createWorld(await given(options)))
}

/** Like `useWorld`, with a world for each test. */
export function useFreshWorld(options: Options = {}): World {
  const world = useFreshResource(async () => createWorld(await given(options)))
  fresh.add(world)
  return world
}

/** A workspace of the world, made before the tests that use it: once, or for each test where the world is fresh. */
export function useWorkspace(world: World, name: string): TestWorkspace {
  if (fresh.has(world)) return useFreshWorkspace(world, name)
  const { handle, fill } = emptyHandle<TestWorkspace>()
  beforeAll(async () => fill(await world.workspace(name)))
  return handle
}

/** A workspace of the world for each test. */
export function useFreshWorkspace(world: World, name: string): TestWorkspace {
  const { handle, fill } = emptyHandle<TestWorkspace>()
  beforeEach(async () => fill(await world.workspace(name)))
  return handle
}

/** What is opened before the tests of a file (or `describe`), such as a stand-in, and closed after them. */
export function useResource<Value extends Closable>(open: () => Promise<Value>): Value {
  const { handle, fill } = emptyHandle<Value>()
  let opened: Value | undefined
  beforeAll(async () => {
    opened = await open()
    fill(opened)
  })
  afterAll(() => opened?.close())
  return handle
}

/** Like `useResource`, opened for each test. */
export function useFreshResource<Value extends Closable>(open: () => Promise<Value>): Value {
  const { handle, fill } = emptyHandle<Value>()
  let opened: Value | undefined
  beforeEach(async () => {
    opened = await open()
    fill(opened)
  })
  afterEach(async () => {
    await opened?.close()
    opened = undefined
  })
  return handle
}

async function given(options: Options): Promise<WorldOptions> {
  return typeof options === 'function' ? await options() : options
}

/** An object that stands for one that a hook makes later: it has the other's properties from then on. */
function emptyHandle<Value extends object>(): { handle: Value; fill(value: Value): void } {
  let filled: Value | undefined
  const value = (): Value => {
    if (filled === undefined) throw new Error('a fixture is read before its hook has made it')
    return filled
  }
  const handle = new Proxy({} as Value, {
    get: (_, key) => Reflect.get(value(), key),
    set: (_, key, to) => Reflect.set(value(), key, to),
    has: (_, key) => Reflect.has(value(), key),
    ownKeys: () => Reflect.ownKeys(value()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value(), key)
      return found && { ...found, configurable: true }
    },
  })
  return {
    handle,
    fill(made) {
      filled = made
    },
  }
}
