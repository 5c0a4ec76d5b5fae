import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import type { Dispatcher } from 'undici'

export interface VendorHosts {
  urlOf: (host: string, url: string) => string
  /** requests to nodes that are not answered yet */
  open: () => number
  stop: () => Promise<void>
}

/** Has all hosts be this machine, so that doubles are reached under the names of their vendors. */
export function nameVendorHosts(): VendorHosts {
  const before = getGlobalDispatcher()
  const agent = new Agent({
    connect: { lookup: (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]) },
  })
  let open = 0
  const counting = agent.compose((dispatch) => (options, handler) => {
    open++
    return dispatch(
      options,
      noteEnd(handler, () => open--),
    )
  })
  setGlobalDispatcher(counting)
  return {
    urlOf(host, url) {
      const named = new URL(url)
      named.hostname = host
      return named.href
    },
    open: () => open,
    async stop() {
      setGlobalDispatcher(before)
      await agent.destroy()
    },
  }
}

function noteEnd(handler: Dispatcher.DispatchHandler, ended: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...all) => handler.onRequestStart?.(...all),
    onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
    onResponseStart: (...all) => handler.onResponseStart?.(...all),
    onResponseData: (...all) => handler.onResponseData?.(...all),
    onResponseEnd(...all) {
      ended()
      handler.onResponseEnd?.(...all)
    },
    onResponseError(...all) {
      ended()
      handler.onResponseError?.(...all)
    },
  }
}
