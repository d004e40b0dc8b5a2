import { type CollectContext, SourceFault } from '../contract.ts'

/** This many failed articles in a row are a fault of the platform. */
export const FAILED_ARTICLES_MAX = 3

/** Whether the fault concerns every article, not only the one that was asked for. */
export function concernsAll({ kind }: SourceFault): boolean {
  return kind === 'throttled' || kind === 'credentials'
}

export async function attempt<Result>(context: CollectContext, work: Promise<Result>): Promise<Result | SourceFault> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof SourceFault) || context.signal.aborted) throw error
    return error
  }
}
