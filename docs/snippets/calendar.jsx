const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

export function Week({ days }) {
  const open = new Set(days);
  return (
    <div className="not-prose my-4 flex gap-1">
      {names.map((name, i) => (
        <span key={name} className={'rounded-md px-3 py-1 text-sm ' + (open.has(i) ? 'bg-primary text-white' : 'border opacity-80')}>
          {name}
        </span>
      ))}
    </div>
  );
}
