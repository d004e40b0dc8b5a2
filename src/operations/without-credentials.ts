import { HIDDEN_VALUE, SIGNATURE_HEADERS } from '../domain/delivery/mask.ts'
import type { ChannelView } from '../queries/channels/channel-shape.ts'
import type { DeliveryDetail } from '../queries/deliveries/get-delivery.ts'
import type { ReadContext } from './definition.ts'

type Reader = Pick<ReadContext, 'caller' | 'forModel'>

/** Whoever may only read gets no credentials of receivers, and a model reads none whatever its credential allows. */
function seesCredentials({ caller, forModel }: Reader): boolean {
  return caller.scope === 'write' && !forModel
}

/**
 * A channel as the caller may see it: the values of a webhook's own headers and its secret are what its receiver asks
 * for.
 */
export function channelFor(reader: Reader, channel: ChannelView): ChannelView {
  if (seesCredentials(reader) || !('headers' in channel.config)) return channel
  const { secret: _, ...config } = channel.config
  return { ...channel, config: { ...config, headers: masked(config.headers, () => true) } }
}

/** A delivery as the caller may see it: a request with its signatures can be sent to its receiver again. */
export function deliveryFor(reader: Reader, delivery: DeliveryDetail): DeliveryDetail {
  if (seesCredentials(reader)) return delivery
  const attemptLog = delivery.attemptLog.map((attempt) =>
    attempt.request === null
      ? attempt
      : {
          ...attempt,
          request: {
            ...attempt.request,
            headers: masked(attempt.request.headers, (name) => SIGNATURE_HEADERS.has(name.toLowerCase())),
          },
        },
  )
  return { ...delivery, attemptLog }
}

function masked(
  headers: Readonly<Record<string, string>>,
  isHidden: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isHidden(name) ? HIDDEN_VALUE : value]),
  )
}
