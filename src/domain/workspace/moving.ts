import { type Refusal, refuse } from '../refusal/refusal.ts'

/** After which a refused change is tried again. */
const AGAIN_SECONDS = 30

export function workspaceMoving(): Refusal<'workspace_moving'> {
  return refuse('workspace_moving', 'The workspace is moving to another address. Try the change again in a minute.', {
    retryAfterSeconds: AGAIN_SECONDS,
  })
}

/** `address` is the public address of the other installation, without a slash at the end. */
export function workspaceMoved(address: string): Refusal<'workspace_moved'> {
  return refuse('workspace_moved', `The workspace has moved to ${address}. Send the request there.`, {
    movedTo: address,
  })
}
