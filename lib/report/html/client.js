// The script of the compliance report: filters, links to entries, and evidence on demand. Whatever a
// target sent is put into the page as text nodes, never as markup.
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Evidence

  let evidence;
  const exchangeOf = (id) => {
    evidence ??= JSON.parse($('evidence').textContent);
    return Object.hasOwn(evidence, id) ? evidence[id] : undefined;
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

  const fill = (details) => {
    const slot = details.querySelector('.slot');
    if (!slot || details.dataset.filled) return;
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
    ({ target }) => {
      if (!target.open) return;
      if (target.matches('.exchanges')) fill(target);
      if (target.matches('.req')) fillLazy(target);
      showMarks(target);
    },
    true,
  );

  // Filters

  const requirements = all('.req').map((element) => ({
    element,
    ...element.dataset,
    text: all('summary, .statement, .facts, .message, .reason, .check-head, .check-title', element)
      .map((part) => part.textContent)
      .join(' ')
      .toLowerCase(),
  }));
  const chips = all('.chip');

  const apply = () => {
    const words = $('find').value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(
      chips.filter((chip) => chip.ariaPressed === 'true').map((chip) => chip.dataset.outcome),
    );
    const suite = $('by-suite').value;
    const level = $('by-level').value;
    let shown = 0;
    for (const one of requirements) {
      const fits =
        (wanted.size === 0 || wanted.has(one.outcome)) &&
        (!suite || one.suite === suite) &&
        (!level || one.level === level) &&
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

  const clear = () => {
    $('find').value = '';
    $('by-suite').value = '';
    $('by-level').value = '';
    for (const chip of chips) chip.ariaPressed = 'false';
    apply();
  };

  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.ariaPressed = chip.ariaPressed === 'true' ? 'false' : 'true';
      apply();
    });
  }
  for (const id of ['find', 'by-suite', 'by-level']) $(id).addEventListener('input', apply);
  $('clear').addEventListener('click', clear);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input, select')) return;
    event.preventDefault();
    $('find').focus();
  });

  // Links to an entry, a check or an exchange

  const follow = () => {
    let id;
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    if (id === '') return;
    if (!$(id) && /^[\w.-]+$/.test(id)) {
      const holder = document.querySelector(`.exchanges[data-exchanges~="${id}"]`);
      if (holder) fill(holder);
    }
    const element = $(id);
    if (!element?.closest('main')) return;
    if (element.closest('[hidden]')) clear();
    for (let up = element; up; up = up.parentElement) if (up.matches('details')) up.open = true;
    if (element.matches('.req')) fillLazy(element);
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

  for (const button of all('.copy')) {
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

  // On paper, failures are unfolded with their evidence.

  let unfolded = [];
  addEventListener('beforeprint', () => {
    unfolded = all('.req[data-outcome="failed"]:not([open])');
    for (const element of unfolded) element.open = true;
    fillLazy(document);
  });
  addEventListener('afterprint', () => {
    for (const element of unfolded) element.open = false;
  });

  document.querySelector('.tools').hidden = false;
  apply();
  for (const element of all('.req[open]')) fillLazy(element);
  showMarks(document);
  follow();
})();
