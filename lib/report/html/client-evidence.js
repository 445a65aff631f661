// The first part of the script of the compliance report: unfolds what the page carries compressed. Whatever a
// target sent is put into the page as text nodes, never as markup.
// biome-ignore lint/correctness/noUnusedVariables: client.js, the second part, uses it
const unfolding = (() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // What the page carries compressed: the inside of entries (markup of our own templates), and exchanges

  const blocks = {};
  const begun = {};

  /** Unfolds a block once; afterwards it is in `blocks`. */
  const unfold = (id) => {
    begun[id] ??= (async () => {
      const bytes = Uint8Array.from(atob($(id).textContent), (char) => char.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
      blocks[id] = JSON.parse(await new Response(stream).text());
    })();
    return begun[id];
  };

  /** Waits for a block. Where the browser cannot unfold it, the page says so in place of its content. */
  const unfolded = async (id, place) => {
    try {
      await unfold(id);
      return true;
    } catch {
      place?.append(make('p', 'quiet', 'This browser cannot unfold it: it is in report.json.'));
      return false;
    }
  };

  const isEmpty = (entry) => !entry.querySelector('.req-body');

  /** Puts the inside of an entry where it belongs. The block of entries has to be unfolded already. */
  const put = (entry) => {
    if (isEmpty(entry) && Object.hasOwn(blocks.entries, entry.id)) {
      entry.insertAdjacentHTML('beforeend', blocks.entries[entry.id]);
      readyToCopy(entry);
    }
  };

  const open = async (entry) => {
    if (isEmpty(entry) && (await unfolded('entries', entry))) put(entry);
    const lazy = entry.querySelector('[data-lazy]');
    if (lazy && (await unfolded('evidence', lazy))) fillLazy(entry);
    showMarks(entry);
  };

  const exchangeOf = (id) => {
    const { texts, headers, exchanges } = blocks.evidence;
    if (!Object.hasOwn(exchanges, id)) return undefined;
    const x = exchanges[id];
    const whole = (view) =>
      view && {
        ...view,
        segments: view.segments.map((one) =>
          Array.isArray(one) ? one.map((number) => texts[number]).join('') : one,
        ),
      };
    return {
      ...x,
      requestHeaders: x.requestHeaders.map((number) => headers[number]),
      responseHeaders: x.responseHeaders.map((number) => headers[number]),
      requestBody: whole(x.requestBody),
      responseBody: whole(x.responseBody),
    };
  };

  /** An element with text and elements as its children. */
  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };

  const header = ({ name, value, note }) => {
    const words = note ? [make('mark', '', value), ' ', make('span', 'note', note)] : [value];
    return make('span', 'line', make('span', 'name', `${name}:`), ' ', ...words);
  };

  const body = (view, label) => {
    if (!view) return [];
    const pre = make('pre', view.tall ? 'body tall' : 'body');
    if (view.tall) {
      pre.tabIndex = 0;
      pre.setAttribute('role', 'group');
      pre.setAttribute('aria-label', label);
    }
    for (const segment of view.segments) {
      if (typeof segment === 'string') pre.append(segment);
      else pre.append(make('mark', '', segment.mark), ' ', make('span', 'note', segment.note));
    }
    return [pre, make('p', 'size', view.note)];
  };

  const answer = (x) => {
    if (!x.status) return [make('p', 'label', 'No answer'), make('p', 'text', x.error)];
    const label = make('p', 'label', 'Answer ');
    if (x.statusNote)
      label.append(make('mark', '', x.status), ' ', make('span', 'note', `status: ${x.statusNote}`));
    else label.append(x.status);
    const missing = x.missing.map((h) =>
      make('span', 'line', make('mark', '', `${h.name}: (absent)`), ' ', make('span', 'note', h.note)),
    );
    return [
      label,
      make('pre', 'head', ...x.responseHeaders.map(header), ...missing),
      ...body(x.responseBody, `Answer body of ${x.id}`),
    ];
  };

  const exchange = (id) => {
    const x = exchangeOf(id);
    if (!x) return make('p', 'quiet', `${id} is not in this report.`);
    const element = make(
      'div',
      'exchange',
      make('p', 'exchange-head', make('span', 'method', x.method), ' ', make('span', 'url', x.url)),
      make('p', 'exchange-meta', `${x.id} · ${x.purpose} · ${x.took} · ${x.time}`),
      make(
        'div',
        'sides',
        make(
          'div',
          'side',
          make('p', 'label', 'Request'),
          make('pre', 'head', ...x.requestHeaders.map(header)),
          ...body(x.requestBody, `Request body of ${x.id}`),
        ),
        make('div', 'side', ...answer(x)),
      ),
    );
    if (!$(id)) element.id = id;
    return element;
  };

  /** Shows the exchanges of a check. */
  const fill = async (details) => {
    const slot = details.querySelector('.slot');
    if (!slot || !(await unfolded('evidence', slot)) || details.dataset.filled) return;
    details.dataset.filled = 'yes';
    slot.replaceChildren(...details.dataset.exchanges.split(' ').map(exchange));
  };

  const fillLazy = (root) => {
    for (const slot of all('[data-lazy]', root)) {
      slot.replaceChildren(exchange(slot.dataset.lazy));
      slot.removeAttribute('data-lazy');
    }
  };

  /** Scrolls long bodies to the first place that is marked as wrong. */
  const showMarks = (root) => {
    for (const pre of all('pre.tall', root)) {
      const mark = pre.querySelector('mark');
      if (mark) pre.scrollTop = mark.offsetTop - 100;
    }
  };

  // Copying

  function readyToCopy(root) {
    for (const button of all('.copy', root)) {
      button.hidden = false;
      button.addEventListener('click', async () => {
        const pre = button.closest('.curl').querySelector('pre');
        try {
          await navigator.clipboard.writeText(pre.textContent);
          button.textContent = 'Copied';
        } catch {
          getSelection().selectAllChildren(pre);
          button.textContent = 'Selected';
        }
      });
    }
  }

  return { $, all, blocks, fill, fillLazy, isEmpty, open, put, readyToCopy, showMarks, unfolded };
})();
