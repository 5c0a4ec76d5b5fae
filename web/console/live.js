// Keeps a page of the console up to date: asks for it again, and takes over what has changed in its live parts. What has
// the focus, is open or is scrolled stays so. Without this script the page is as it was when it was asked for.

const sign = document.querySelector('[data-every]')
const seconds = Number(sign.dataset.every)
sign.textContent = `Live, every ${seconds} seconds.`

/** Makes a node like a fresh one, changing as little as can be. */
function update(node, fresh) {
  if (node.nodeName !== fresh.nodeName) return node.replaceWith(fresh)
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== fresh.data) node.data = fresh.data
    return
  }
  for (const { name, value } of fresh.attributes)
    if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  // Whoever looks has opened it.
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
    sign.textContent = `Not live any more (${error.message}): reload the page.`
  }
}

function keepLive() {
  setTimeout(() => void refresh().then(keepLive), seconds * 1_000)
}
keepLive()
document.addEventListener('visibilitychange', () => void refresh())
