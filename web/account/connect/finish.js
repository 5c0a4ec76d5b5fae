// Gives the result of a popup to the window that opened it, and to no other: the browser compares its origin.
const { origin, message } = document.querySelector('[data-message]').dataset
if (window.opener) {
  window.opener.postMessage(JSON.parse(message), origin)
  window.close()
}
