// Signs in with the wallet of the browser. Without this script, or without such a wallet, the forms stay hidden and an
// address can be typed.

const ask = (method, params) => window.ethereum.request({ method, params })

/** The text as wallets take it: hexadecimal bytes. */
const hex = (text) =>
  '0x' + Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function use(form) {
  const { address, signature } = form.elements
  try {
    const [account] = await ask('eth_requestAccounts')
    if (signature) signature.value = await ask('personal_sign', [hex(form.dataset.message), address.value])
    else address.value = account
    form.submit()
  } catch (error) {
    form.querySelector('output').textContent = `The wallet did not answer: ${error.message}`
  }
}

if (window.ethereum)
  for (const form of document.querySelectorAll('form[data-wallet]')) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void use(form)
    })
  }
