// The script of the compliance report: filters, links to entries, and evidence on demand. Whatever a
// target sent is put into the page as text nodes, never as markup.
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // What the page carries compressed: the inside of entries (markup of our own templates), and exchanges

  const blocks = {};
  const unfolding = {};

  /** Unfolds a block once; afterwards it is in `blocks`. */
  const unfold = (id) => {
    unfolding[id] ??= (async () => {
      const bytes = Uint8Array.from(atob($(id).textContent), (char) => char.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
      blocks[id] = JSON.parse(await new Response(stream).text());
    })();
    return unfolding[id];
  };

  /** Waits for a block; where the browser cannot unfold it, says so in the place of what it holds. */
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

  /** Puts the inside of an entry where it belongs. The block of entries has been unfolded. */
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

  /** Scrolls long bodies to what is wrong in them. */
  const showMarks = (root) => {
    for (const pre of all('pre.tall', root)) {
      const mark = pre.querySelector('mark');
      if (mark) pre.scrollTop = mark.offsetTop - 100;
    }
  };

  document.addEventListener(
    'toggle',
    async ({ target }) => {
      if (!target.open) return;
      if (target.matches('.req')) await open(target);
      if (target.matches('.exchanges')) await fill(target);
      showMarks(target);
    },
    true,
  );

  // Filters

  const SEARCHED = 'summary, .statement, .facts, .message, .reason, .check-head, .check-title';
  const textOf = (...roots) =>
    roots
      .flatMap((root) => all(SEARCHED, root))
      .map((part) => part.textContent)
      .join(' ')
      .toLowerCase();
  const requirements = all('.req').map((element) => ({
    element,
    ...element.dataset,
    suite: element.closest('.suite').dataset.suite,
  }));
  const chips = all('.chip');
  const fields = { find: $('find'), suite: $('by-suite'), level: $('by-level') };

  /** The text of every entry, put together at the first search; entries that are not unfolded count too. */
  const indexed = async () => {
    if (requirements[0]?.text !== undefined) return;
    await unfolded('entries');
    for (const one of requirements) {
      const inside = document.createElement('template');
      if (isEmpty(one.element)) inside.innerHTML = blocks.entries?.[one.element.id] ?? '';
      one.text = textOf(one.element, inside.content);
    }
  };

  const pressed = () =>
    chips.filter((chip) => chip.ariaPressed === 'true').map((chip) => chip.dataset.outcome);

  const apply = async () => {
    const words = fields.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length > 0) await indexed();
    const wanted = pressed();
    let shown = 0;
    for (const one of requirements) {
      const fits =
        (wanted.length === 0 || wanted.includes(one.outcome)) &&
        (!fields.suite.value || one.suite === fields.suite.value) &&
        (!fields.level.value || one.level === fields.level.value) &&
        words.every((word) => one.text.includes(word));
      one.element.hidden = !fits;
      if (fits) shown++;
    }
    for (const group of all('.group, .suite')) {
      group.hidden =
        group.querySelector('.req') !== null && group.querySelector('.req:not([hidden])') === null;
    }
    $('shown').textContent = `${shown} of ${requirements.length} shown`;
    $('nothing').hidden = shown > 0;
  };

  // The choice is in the address, as `#?verdict=failed&suite=…`, so that a link leads to it

  const remember = () => {
    const choice = new URLSearchParams();
    if (pressed().length > 0) choice.set('verdict', pressed().join(','));
    for (const [name, field] of Object.entries(fields)) if (field.value) choice.set(name, field.value);
    const hash = String(choice) === '' ? '' : `#?${choice}`;
    if (hash !== '' || location.hash.startsWith('#?'))
      history.replaceState(null, '', `${location.pathname}${location.search}${hash}`);
  };

  const recall = () => {
    const choice = new URLSearchParams(location.hash.slice(2));
    const verdicts = choice.get('verdict')?.split(',') ?? [];
    for (const chip of chips) chip.ariaPressed = String(verdicts.includes(chip.dataset.outcome));
    for (const [name, field] of Object.entries(fields)) field.value = choice.get(name) ?? '';
    $('requirements').scrollIntoView();
    return apply();
  };

  const choose = () => {
    remember();
    return apply();
  };

  const clear = () => {
    for (const field of Object.values(fields)) field.value = '';
    for (const chip of chips) chip.ariaPressed = 'false';
    return choose();
  };

  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.ariaPressed = chip.ariaPressed === 'true' ? 'false' : 'true';
      choose();
    });
  }
  for (const field of Object.values(fields)) field.addEventListener('input', choose);
  $('clear').addEventListener('click', clear);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input, select')) return;
    event.preventDefault();
    fields.find.focus();
  });

  // Links to an entry, a check or an exchange

  /** The entry that holds a check or an exchange, by the id of either. */
  const holderOf = async (id) => {
    if (!(await unfolded('entries'))) return undefined;
    const isExchange = /^x\d+$/.test(id);
    const found = Object.keys(blocks.entries).find((entry) =>
      isExchange
        ? new RegExp(`data-exchanges="(?:[^"]* )?${id}[ "]`).test(blocks.entries[entry])
        : blocks.entries[entry].includes(`id="${id}"`),
    );
    return found && $(found);
  };

  const follow = async () => {
    if (location.hash.startsWith('#?')) return recall();
    let id;
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    if (!/^[\w.:/=,-]+$/.test(id)) return;
    const holder = () => document.querySelector(`.exchanges[data-exchanges~="${id}"]`);
    if (!$(id) && !holder()) {
      const entry = await holderOf(id);
      if (entry) put(entry);
    }
    if (!$(id) && holder()) await fill(holder());
    const element = $(id);
    if (!element?.closest('main')) return;
    if (element.closest('[hidden]')) await clear();
    for (let up = element; up; up = up.parentElement) if (up.matches('details')) up.open = true;
    if (element.matches('.req')) await open(element);
    element.scrollIntoView();
    // The bar of filters stays at the top of the window, over what is below it.
    const tools = document.querySelector('.tools');
    if (element.closest('.suite') && getComputedStyle(tools).position === 'sticky')
      scrollBy(0, -tools.offsetHeight);
    (element.querySelector('summary') ?? element).focus({ preventScroll: true });
  };
  addEventListener('hashchange', follow);
  // A link that is followed a second time changes no hash.
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) follow();
  });

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

  // On paper, failures are unfolded with their evidence. Nothing can be waited for then, so what they need
  // is unfolded before.

  const FAILED = '.req[data-outcome="failed"]';
  const prepare = async () => {
    const failed = all(FAILED);
    if (failed.some(isEmpty) && (await unfolded('entries'))) failed.forEach(put);
    if (failed.some((one) => one.querySelector('[data-lazy]'))) await unfolded('evidence');
    document.documentElement.dataset.printable = 'yes';
  };

  let opened = [];
  addEventListener('beforeprint', () => {
    opened = all(`${FAILED}:not([open])`);
    for (const one of opened) one.open = true;
    if (blocks.evidence) for (const one of all(FAILED)) fillLazy(one);
  });
  addEventListener('afterprint', () => {
    for (const one of opened) one.open = false;
  });

  document.querySelector('.tools').hidden = false;
  readyToCopy(document);
  apply();
  for (const one of all('.req[open]')) open(one);
  showMarks(document);
  follow();
  setTimeout(prepare);
})();
