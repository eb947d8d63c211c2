// Gradio hears what comes of its events through one stream, which its server closes as soon as nothing is pending. An
// event that is joined while that word is on its way waits for ever: the page takes the stream for open, the server for
// closed. So what the page holds is never closed, and behind it the server's is opened anew whenever an event is owed.
const ask = window.fetch.bind(window), JOIN = /\/queue\/join\b/, DATA = /\/queue\/data\b/;
const owed = new Set(), early = new Set(); // events without an end; ends whose event has not been named yet
let pipe = null; // what the page holds: where its messages go, and whether the server's stream behind it is open

window.fetch = async (resource, options) => {
  const address = String(resource?.url ?? resource);
  if (DATA.test(address)) return held(new Request(resource, options));
  const answer = await ask(resource, options);
  return JOIN.test(address) ? joined(answer) : answer;
};

async function joined(answer) {
  const event = answer.ok ? (await answer.clone().json()).event_id : null;
  if (event && !early.delete(event)) {
    owed.add(event);
    if (pipe && !pipe.open) run(pipe);
  }
  return answer;
}

async function held(request) {
  const first = await ask(request.clone());
  if (!first.ok || !first.body) return first;
  const made = { request, open: false, outlet: null };
  const body = new ReadableStream({
    start: (outlet) => { made.outlet = outlet; },
    cancel: () => { if (pipe === made) pipe = null; },
  });
  pipe = made;
  run(made, first);
  return new Response(body, { headers: first.headers });
}

async function run(made, first) {
  made.open = true;
  try {
    for (let next = first; ; next = null) {
      const answer = next ?? (await ask(made.request.clone()));
      if (!answer.ok) throw new TypeError(`The stream cannot be opened: ${answer.status}`);
      if (!(await passed(answer.body, made.outlet))) throw new TypeError("The stream has broken off.");
      if (!owed.size) break;
    }
    made.open = false;
  } catch (error) {
    if (pipe === made) pipe = null;
    owed.clear();
    made.outlet.error(error);
  }
}

// Hand every message on but the last, which says that the stream is closed. False when it ends without that.
async function passed(body, outlet) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader(), letters = new TextEncoder();
  for (let rest = "", closed = false; ; ) {
    const { value, done } = await reader.read();
    if (done) return closed;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const ended = /"msg":"(close_stream|process_completed)"/.test(block) ? JSON.parse(block.slice("data:".length)) : {};
      closed ||= ended.msg === "close_stream";
      if (ended.msg === "process_completed" && !owed.delete(ended.event_id)) early.add(ended.event_id);
      if (ended.msg !== "close_stream") outlet.enqueue(letters.encode(`${block}\n\n`));
    }
  }
}
