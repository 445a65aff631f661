// The second part of the script of the compliance report: filters, links to entries, and printing.
(() => {
  const { $, all, blocks, fill, fillLazy, isEmpty, open, put, readyToCopy, showMarks, unfolded } = unfolding;

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
    level: 'required',
    ...element.dataset,
    suite: element.closest('.suite').dataset.suite,
  }));
  const chips = all('.chip');
  const fields = { find: $('find'), suite: $('by-suite'), level: $('by-level') };

  /** Collects the text of every entry, at the first search, even of entries that are not unfolded. */
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

  // The choice of filters is in the address, as `#?verdict=failed&suite=…`, so that it can be linked to

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
  // Following the same link a second time does not change the hash, so there is no `hashchange` event.
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) follow();
  });

  // Failures are printed unfolded, with their evidence. Nothing can be
  // awaited while the page is printed, so what they need is unfolded before.

  const FAILED = '.req[data-outcome="failed"]';
  const prepare = async () => {
    const failed = all(FAILED);
    if (failed.some(isEmpty) && (await unfolded('entries'))) failed.forEach(put);
    if (failed.some((one) => one.querySelector('[data-lazy]'))) await unfolded('evidence');
    document.documentElement.dataset.printable = 'yes';
  };

  let opened = [];
  addEventListener('beforeprint', () => {
    opened = all(`${FAILED}:not([open]), .failures details:not([open])`);
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
