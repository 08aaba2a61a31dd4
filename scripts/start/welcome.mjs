/** What is printed when everything is ready. */

/**
 * @param {{url: string, key: string, logs: string}} options
 * @returns {string}
 */
export function welcome({ url, key, logs }) {
  return `
Attune is ready.

  page      ${url}/
  API       ${url}/openapi.json
  logs      ${logs}

demo key: ${key}

Talk to it from a terminal (paste both commands):

  SESSION=$(curl -s ${url}/v1/sessions -H 'authorization: Bearer ${key}' \\
    -H 'content-type: application/json' -d '{}' | sed -E 's/.*"session_id":"([^"]+)".*/\\1/')

  curl -N ${url}/v1/sessions/$SESSION/messages -H 'authorization: Bearer ${key}' \\
    -H 'content-type: application/json' \\
    -d '{"text":"My best friend is moving away and I feel empty.","stream":true}'

Ctrl-C stops everything.
`;
}
