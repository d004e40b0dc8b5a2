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
  return useMade(fresh.has(world) ? PER_TEST : PER_FILE, () => world.workspace(name))
}

/** A workspace of the world for each test. */
export function useFreshWorkspace(world: World, name: string): TestWorkspace {
  return useMade(PER_TEST, () => world.workspace(name))
}

/** What is opened before the tests of a file (or `describe`), such as a stand-in, and closed after them. */
export function useResource<Value extends Closable>(open: () => Promise<Value>): Value {
  return useMade(PER_FILE, open, (opened) => opened.close())
}

/** Like `useResource`, opened for each test. */
export function useFreshResource<Value extends Closable>(open: () => Promise<Value>): Value {
  return useMade(PER_TEST, open, (opened) => opened.close())
}

interface Lifetime {
  before: typeof beforeEach
  after: typeof afterEach
}

const PER_FILE: Lifetime = { before: beforeAll, after: afterAll }
const PER_TEST: Lifetime = { before: beforeEach, after: afterEach }

/** An object that stands for the value that a hook makes later: it has that value's properties from then on. */
function useMade<Value extends object>(
  { before, after }: Lifetime,
  make: () => Promise<Value>,
  close?: (made: Value) => unknown,
): Value {
  let made: Value | undefined
  before(async () => {
    made = await make()
  })
  if (close !== undefined)
    after(async () => {
      if (made !== undefined) await close(made)
      made = undefined
    })
  const value = (): Value => {
    if (made === undefined) throw new Error('a fixture is read before its hook has made it')
    return made
  }
  return new Proxy({} as Value, {
    get: (_, key) => Reflect.get(value(), key),
    set: (_, key, to) => Reflect.set(value(), key, to),
    has: (_, key) => Reflect.has(value(), key),
    ownKeys: () => Reflect.ownKeys(value()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value(), key)
      return found && { ...found, configurable: true }
    },
  })
}

async function given(options: Options): Promise<WorldOptions> {
  return typeof options === 'function' ? await options() : options
}
