// Keeps a console page up to date: fetches it again and copies changes into its live parts. Focus, open
// details and scroll positions stay. Without this script the page stays as it was loaded.

// A page without this sign, such as a runbook, has no live parts.
const sign = document.querySelector('[data-every]')
const seconds = Number(sign?.dataset.every)

/** Updates a node to match a fresh one with as few changes as possible. */
function update(node, fresh) {
  if (node.nodeName !== fresh.nodeName) return node.replaceWith(fresh)
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== fresh.data) node.data = fresh.data
    return
  }
  for (const { name, value } of fresh.attributes)
    if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  // Keep `open`: the user opened it.
  for (const { name } of Array.from(node.attributes))
    if (name !== 'open' && !fresh.hasAttribute(name)) node.removeAttribute(name)
  const [old, next] = [[...node.childNodes], [...fresh.childNodes]]
  for (const [i, child] of next.entries()) {
    if (i < old.length) update(old[i], child)
    else node.append(child)
  }
  for (const child of old.slice(next.length)) child.remove()
}

async function refresh() {
  if (document.hidden) return
  try {
    const response = await fetch(location.href)
    if (!response.ok) throw new Error(`status ${response.status}`)
    const next = new DOMParser().parseFromString(await response.text(), 'text/html')
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = next.getElementById(part.id)
      if (fresh) update(part, fresh)
    }
    sign.textContent = `Live, every ${seconds} seconds.`
  } catch (error) {
    sign.textContent = `Updates stopped (${error.message}). Reload the page.`
  }
}

function keepLive() {
  setTimeout(() => void refresh().then(keepLive), seconds * 1_000)
}
if (sign) {
  sign.textContent = `Live, every ${seconds} seconds.`
  keepLive()
  document.addEventListener('visibilitychange', () => void refresh())
}
