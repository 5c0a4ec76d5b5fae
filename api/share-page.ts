/** Where every share link leads: the same for all of them, so that it tells nothing of any. */
export const sharePage = {
  url: '/p/:token',
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    // The address is a secret.
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  },
  body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shared portfolio</title><style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
  pre { overflow-x: auto }
</style></head>
<body>
<h1>Shared portfolio</h1>
<p>What follows <code>/p/</code> in the address of this page is a share token. With an API key of your own it shows the
portfolio through every <code>GET /v1/portfolio/</code> endpoint:</p>
<pre>curl -H 'X-API-KEY: &lt;key&gt;' -H 'sharetoken: &lt;token&gt;' -H 'passcode: &lt;six digits&gt;' &lt;this host&gt;/v1/portfolio/value</pre>
<p>The passcode is needed where the owner has set one. All endpoints: <a href="/v1/docs">reference</a>.</p>
</body>
</html>
`,
}
