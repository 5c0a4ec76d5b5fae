// For the pages of an app: opens the screens of its connect kit and returns the result. It depends on nothing.
//
//   <script src="https://SLUICE/connect/KIT/connect.js"></script>
//   const result = await SluiceConnect.open({ callback: 'https://APP/connected' })  // in a click handler
//   if (result) sendToMyServer(result.code)
;(() => {
  const address = new URL(document.currentScript.src)
  // The server writes the mode of the kit here: popup or redirect.
  const mode = '__MODE__'
  const STATE = 'sluice-connect-state'

  const resultOf = ({ portfolioId, code }) => (code ? { portfolioId, code } : null)

  /** Opens the screens. null: the user cancelled. A redirect leaves the page: see `result`. */
  function open({ callback }) {
    // Only a result with this state is one of this call.
    const state = crypto.randomUUID()
    const url = new URL('.', address)
    url.pathname = url.pathname.replace(/\/$/, '')
    url.search = new URLSearchParams({ callback, state }).toString()
    if (mode === 'redirect') {
      sessionStorage.setItem(STATE, state)
      location.assign(url)
      return new Promise(() => {})
    }
    const popup = window.open(url, 'sluice-connect', 'popup,width=480,height=760')
    if (!popup) return Promise.reject(new Error('The browser blocked the popup: open it in a click handler.'))
    return new Promise((resolve) => {
      const finish = (result) => {
        clearInterval(watch)
        removeEventListener('message', listen)
        resolve(result)
      }
      const listen = ({ origin, source, data }) => {
        const isOurs = origin === address.origin && source === popup && data?.type === 'sluice-connect'
        if (isOurs && data.state === state) finish(resultOf(data))
      }
      addEventListener('message', listen)
      const watch = setInterval(() => {
        // The last message may still be on its way when the window is closed.
        if (popup.closed) setTimeout(() => finish(null), 1_000)
      }, 300)
    })
  }

  /** For the page of the redirect URL: the result in its address. null: cancelled. Throws if this browser asked nothing. */
  function result() {
    const { state, ...message } = Object.fromEntries(new URLSearchParams(location.search))
    const asked = sessionStorage.getItem(STATE)
    sessionStorage.removeItem(STATE)
    // The code leaves the address, and with it the history of the browser.
    history.replaceState(null, '', location.pathname)
    if (asked === null || state !== asked) throw new Error('This browser did not ask to connect.')
    return resultOf(message)
  }

  window.SluiceConnect = { open, result }
})()
