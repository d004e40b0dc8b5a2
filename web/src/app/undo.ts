import { showToast } from '../kit/toast.tsx'
import { words } from './words.ts'

export interface UndoStep {
  /** What was done, such as "3 mentions are done". */
  text: string
  revert: () => Promise<unknown>
}

const LIMIT = 50

/** Changes that can be taken back, the newest last. */
export class UndoStack {
  private readonly steps: UndoStep[] = []

  get size(): number {
    return this.steps.length
  }

  push(step: UndoStep): void {
    this.steps.push(step)
    if (this.steps.length > LIMIT) this.steps.shift()
  }

  /** Null when there is nothing to take back. */
  pop(): UndoStep | null {
    return this.steps.pop() ?? null
  }

  /** Takes a step back wherever it stands; false when it was taken back before. */
  remove(step: UndoStep): boolean {
    const at = this.steps.indexOf(step)
    if (at >= 0) this.steps.splice(at, 1)
    return at >= 0
  }
}

const stack = new UndoStack()

/** Offers to undo a change, by key and by a message. */
export function offerUndo(step: UndoStep): void {
  stack.push(step)
  const onPress = () => {
    if (stack.remove(step)) void revert(step)
  }
  showToast({ text: step.text, action: { label: words.undo, keys: 'z', onPress } })
}

export function undoLast(): void {
  const step = stack.pop()
  if (step === null) showToast({ text: words.nothingToUndo })
  else void revert(step)
}

async function revert(step: UndoStep): Promise<void> {
  try {
    await step.revert()
    showToast({ text: words.undone(step.text) })
  } catch (error) {
    stack.push(step)
    const reason = error instanceof Error ? error.message : String(error)
    showToast({ text: words.notUndone(reason), tone: 'negative' })
  }
}
