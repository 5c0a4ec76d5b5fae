// Runs in the browser on the first page of the reference. Links to `/v1/docs#getCoins` are older than the pages of
// operations: they lead on to the page that the anchor stands for.

function followAnchor() {
  const link = document.getElementById(location.hash.slice(1))?.querySelector('a')
  if (link) location.replace(link.href)
}
addEventListener('hashchange', followAnchor)
followAnchor()
